module metalconform

go 1.26
